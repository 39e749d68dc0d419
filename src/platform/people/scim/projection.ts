/** Parameters that select the attributes of a response (RFC 7644, section 3.9). */
export interface Projection {
  readonly attributes?: string | undefined;
  readonly excludedAttributes?: string | undefined;
}

/** Attributes that every response contains, because the schemas require them or the entity tag needs them. */
const always = ['schemas', 'id', 'userName', 'active', 'displayName', 'meta'];
const coreUrn = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/;

/** True if a response contains an attribute. */
export function isReturned(name: string, { attributes, excludedAttributes }: Projection): boolean {
  if (always.includes(name)) return true;
  const requested = name.toLowerCase();
  if (attributes !== undefined) {
    return namesIn(attributes).some(
      each => each === requested || each.startsWith(`${requested}.`) || each.startsWith(`${requested}:`),
    );
  }
  return !namesIn(excludedAttributes ?? '').includes(requested);
}

/** Removes the attributes that a response does not contain. */
export function project<T extends object>(resource: T, projection: Projection): T {
  return Object.fromEntries(Object.entries(resource).filter(([name]) => isReturned(name, projection))) as T;
}

function namesIn(list: string): string[] {
  return list.split(',').map(name => name.trim().toLowerCase().replace(coreUrn, ''));
}
