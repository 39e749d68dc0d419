import SCIMMY from 'scimmy';
import { ScimUrn } from '../../../contract/scim.js';
import type { JsonObject } from '../../../contract/wire.js';
import { maxCount } from './list-window.js';

/** Returns the features that the Provisioning API supports (RFC 7643, section 5). */
export function serviceProviderConfig(baseUrl: string): JsonObject {
  const config = new SCIMMY.Schemas.ServiceProviderConfig(
    {
      patch: { supported: true },
      bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
      filter: { supported: true, maxResults: maxCount },
      changePassword: { supported: false },
      sort: { supported: false },
      etag: { supported: true },
      authenticationSchemes: [
        {
          type: 'oauthbearertoken',
          name: 'SCIM key',
          description: 'A SCIM key, or an API key with the admin role, as a bearer token.',
          specUri: 'https://www.rfc-editor.org/info/rfc6750',
        },
      ],
    },
    `${baseUrl}/ServiceProviderConfig`,
  );
  return toJson(config);
}

/** Returns the resource types (RFC 7643, section 6). */
export function resourceTypes(baseUrl: string): JsonObject[] {
  const location = `${baseUrl}/ResourceTypes`;
  const user = {
    id: 'User',
    name: 'User',
    description: 'User Account',
    endpoint: '/Users',
    schema: ScimUrn.user,
    schemaExtensions: [{ schema: ScimUrn.enterpriseUser, required: false }],
  };
  const group = { id: 'Group', name: 'Group', description: 'Group', endpoint: '/Groups', schema: ScimUrn.group };
  return [user, group].map(type => toJson(new SCIMMY.Schemas.ResourceType(type, location)));
}

/** Returns the schemas of the resources (RFC 7643, section 7). */
export function schemas(baseUrl: string): JsonObject[] {
  const { User, EnterpriseUser, Group } = SCIMMY.Schemas;
  return [User, EnterpriseUser, Group].map(({ definition }) => toJson(definition.describe(`${baseUrl}/Schemas`)));
}

/** Converts the library's objects, which have accessors and methods, to plain JSON. */
function toJson(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject;
}
