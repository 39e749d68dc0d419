import { describe, expect, test } from 'vitest';
import type { Policy } from '../../../src/contract/roles.js';
import {
  adminRights,
  allowedDeployments,
  builtInPolicies,
  canCall,
  creatorRights,
  isAllowed,
  isAllowedOnDeployment,
  noRights,
  rightsOf,
  Tier,
} from '../../../src/platform/auth/rights.js';
import { checkPolicy } from '../../../src/platform/people/policies.js';

const policy = (resourceType: string, actions: string[], resources: string[] = ['All'], effect?: string): Policy => ({
  resourceType,
  actions,
  resources,
  ...(effect !== undefined && { effect }),
});
const of = (...policies: Policy[]) => rightsOf(policies, { isAdmin: false, maxRole: null });
const levels = ['authenticated', 'viewer', 'user', 'developer', 'admin'] as const;
const calls = (rights: Parameters<typeof canCall>[0]) => levels.filter(level => canCall(rights, level));

describe('roles and tiers (spec 5)', () => {
  test.each([
    ['nobody', noRights, 1],
    ['a creator', creatorRights, 3],
    ['AIBIViewer', of(...builtInPolicies.AIBIViewer), 2],
    ['AIBIUser', of(...builtInPolicies.AIBIUser), 3],
    ['AIBIDeveloper', of(...builtInPolicies.AIBIDeveloper), 4],
    ['an admin', adminRights, 5],
  ])('%s may call the operations of the role and of lower roles', (_, rights, count) => {
    expect(calls(rights)).toEqual(levels.slice(0, count));
  });

  test('the highest tier applies, and other policies grant none', () => {
    expect(of(policy('Global', ['AIBIView']), policy('Global', ['AIBIDevelop'])).tier).toBe(Tier.develop);
    expect(of(policy('Deployment', ['All']), policy('Workbook', ['All'])).tier).toBe(Tier.none);
    expect(of(policy('Deployment', ['AIBIDevelop'])).tier).toBe(Tier.none);
  });

  test('no policy grants admin rights', () => {
    const rights = of(policy('Global', ['All']), policy('Deployment', ['All']));
    expect(rights.isAdmin).toBe(false);
    expect(canCall(rights, 'admin')).toBe(false);
  });
});

describe('the maximum role of a key', () => {
  test('limits tier, deployments and account-wide rights, including for admins', () => {
    const everything = [policy('Global', ['AIBIDevelop']), policy('Deployment', ['All'])];
    const bounded = rightsOf([...everything, policy('Global', ['DeploymentsManage'])], {
      isAdmin: false,
      maxRole: 'AIBIViewer',
    });
    expect(calls(bounded)).toEqual(['authenticated', 'viewer']);
    expect(isAllowedOnDeployment(bounded, 'DeploymentRead', 1)).toBe(true);
    for (const action of ['DeploymentUpdate', 'DeploymentDelete', 'SecretsManage'] as const) {
      expect(isAllowedOnDeployment(bounded, action, 1), action).toBe(false);
    }
    const admin = rightsOf([], { isAdmin: true, maxRole: 'AIBIUser' });
    expect(admin.isAdmin).toBe(false);
    expect(calls(admin)).toEqual(['authenticated', 'viewer', 'user']);
    expect(isAllowedOnDeployment(admin, 'SecretsManage', 1)).toBe(false);
  });

  test('grants nothing that the user is not allowed to do', () => {
    expect(rightsOf([], { isAdmin: false, maxRole: 'AIBIDeveloper' })).toMatchObject({
      tier: Tier.none,
      isAdmin: false,
    });
    expect(rightsOf([], { isAdmin: false, maxRole: 'Admin' }).isAdmin).toBe(false);
    expect(isAllowedOnDeployment(rightsOf([], { isAdmin: false, maxRole: 'AIBIDeveloper' }), 'DeploymentRead', 1)).toBe(
      false,
    );
    expect(rightsOf([], { isAdmin: true, maxRole: 'Admin' })).toBe(adminRights);
  });

  test('preserves denials', () => {
    const rights = rightsOf([], { isAdmin: true, maxRole: null });
    expect(isAllowed(rights, 'ChatThreadRead', 'ChatThread', 1)).toBe(true);
    const policies = [policy('ChatThread', ['All']), policy('ChatThread', ['All'], ['1'], 'deny')];
    const denied = rightsOf(policies, { isAdmin: false, maxRole: 'AIBIUser' });
    expect(isAllowed(denied, 'ChatThreadRead', 'ChatThread', 1)).toBe(false);
    expect(isAllowed(denied, 'ChatThreadRead', 'ChatThread', 2)).toBe(true);
  });
});

describe('actions on deployments (spec 5.3)', () => {
  test('are denied unless a policy allows them', () => {
    expect(isAllowed(noRights, 'DeploymentRead', 'Deployment', 1)).toBe(false);
    const rights = of(policy('Deployment', ['DeploymentRead'], ['1']));
    expect(isAllowed(rights, 'DeploymentRead', 'Deployment', 1)).toBe(true);
    expect(isAllowed(rights, 'DeploymentRead', 'Deployment', 11)).toBe(false);
    expect(isAllowed(rights, 'DeploymentUpdate', 'Deployment', 1)).toBe(false);
    expect(isAllowed(rights, 'DeploymentRead', 'Workbook', 1)).toBe(false);
  });

  test('DeploymentsManage allows reading, changing and deleting, but no secrets', () => {
    for (const rights of [
      of(policy('Global', ['DeploymentsManage'])),
      of(policy('Deployment', ['DeploymentsManage'])),
    ]) {
      expect(isAllowedOnDeployment(rights, 'DeploymentDelete', 3)).toBe(true);
      expect(isAllowedOnDeployment(rights, 'SecretsManage', 3)).toBe(false);
      expect(isAllowedOnDeployment(rights, 'DownloadData', 3)).toBe(false);
    }
  });

  test('a list contains all deployments or only those named in policies', () => {
    expect(allowedDeployments(adminRights, 'DeploymentRead')).toBe('All');
    expect(allowedDeployments(of(policy('Deployment', ['All'])), 'DeploymentRead')).toBe('All');
    expect(allowedDeployments(of(policy('Global', ['DeploymentsManage'])), 'DeploymentRead')).toBe('All');
    const some = of(
      policy('Deployment', ['DeploymentRead'], ['2', '1', 'x', '2']),
      policy('Deployment', ['APMRead'], ['3']),
    );
    expect(allowedDeployments(some, 'DeploymentRead')).toEqual([2, 1]);
    expect(allowedDeployments(noRights, 'DeploymentRead')).toEqual([]);
  });
});

test('an administrator can write the policies of all built-in roles except Admin', () => {
  for (const [name, policies] of Object.entries(builtInPolicies)) {
    // The policies are typed loosely, like untrusted input.
    const problems = policies.map(each => checkPolicy(each as Parameters<typeof checkPolicy>[0]));
    expect(
      problems.every(problem => problem === null),
      name,
    ).toBe(name !== 'Admin');
  }
});
