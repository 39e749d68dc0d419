/** Parameters that choose the attributes of a response (RFC 7644, 3.9). */
export interface Projection {
  readonly attributes?: string | undefined;
  readonly excludedAttributes?: string | undefined;
}

/** Required by the schemas, or needed for the entity tag. */
const always = ['schemas', 'id', 'userName', 'active', 'displayName', 'meta'];
const coreUrn = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/;

/** True if a response contains an attribute. */
export function isReturned(name: string, { attributes, excludedAttributes }: Projection): boolean {
  if (always.includes(name)) return true;
  const wanted = name.toLowerCase();
  if (attributes !== undefined) {
    return namesIn(attributes).some(
      each => each === wanted || each.startsWith(`${wanted}.`) || each.startsWith(`${wanted}:`),
    );
  }
  return !namesIn(excludedAttributes ?? '').includes(wanted);
}

/** Removes the attributes that a response does not contain. */
export function project<T extends object>(resource: T, projection: Projection): T {
  return Object.fromEntries(Object.entries(resource).filter(([name]) => isReturned(name, projection))) as T;
}

function namesIn(list: string): string[] {
  return list.split(',').map(name => name.trim().toLowerCase().replace(coreUrn, ''));
}
