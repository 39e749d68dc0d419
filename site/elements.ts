import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DetailField, readEventDetails } from './event-details.js';
import { highlight, inlineHtml, markdownHtml, plainText } from './markdown.js';
import { root } from './source-files.js';

/** The public elements, in the order of the site. */
export const publicElements = [
  'pa-session',
  'pa-dashboard',
  'pa-report',
  'pa-chat',
  'pa-workspace',
  'pa-workbook',
] as const;

/** A described member of an element. `html` is its description. */
export interface MemberView {
  readonly name: string;
  readonly id: string;
  readonly html: string;
  readonly text: string;
  readonly type: string;
  readonly attribute: string;
  readonly default: string;
  readonly isCancelable: boolean;
  readonly details: readonly DetailField[];
}

/** A list of members with the same role. */
export interface MemberSection {
  readonly id: string;
  readonly title: string;
  readonly members: readonly MemberView[];
}

/** A live example: HTML that runs on the demo, and is shown as source. */
export interface ElementExample {
  readonly source: string;
  readonly html: string;
}

/** The page of an element. */
export interface ElementPage {
  readonly url: string;
  readonly tag: string;
  readonly summary: string;
  readonly html: string;
  readonly example: ElementExample;
  readonly eventNames: string;
  readonly sections: readonly MemberSection[];
}

interface ManifestItem {
  readonly name?: string;
  readonly description?: string;
  readonly type?: { readonly text: string };
  readonly default?: string;
}

interface ManifestMember extends ManifestItem {
  readonly kind: string;
  readonly privacy?: string;
  readonly static?: boolean;
  readonly attribute?: string;
  readonly parameters?: readonly (ManifestItem & { readonly optional?: boolean })[];
  readonly return?: { readonly type?: { readonly text: string } };
}

interface Declaration {
  readonly tagName?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly members?: readonly ManifestMember[];
  readonly events?: readonly ManifestItem[];
  readonly slots?: readonly ManifestItem[];
  readonly cssParts?: readonly ManifestItem[];
  readonly cssProperties?: readonly ManifestItem[];
}

/** The part of `custom-elements.json` that the pages are generated from. */
export interface Manifest {
  readonly modules: readonly { readonly declarations?: readonly Declaration[] }[];
}

/**
 * Reads the manifest of the last build.
 * @throws Error if there is none.
 */
export function readManifest(): Manifest {
  const file = join(root, 'dist/custom-elements.json');
  if (!existsSync(file)) throw new Error('dist/custom-elements.json does not exist. Run "npm run build" first.');
  return JSON.parse(readFileSync(file, 'utf8')) as Manifest;
}

/**
 * Generates the pages of the public elements.
 * @throws Error if a public member has no description.
 */
export function readElementPages(manifest: Manifest): ElementPage[] {
  const declarations = manifest.modules.flatMap(module => module.declarations ?? []);
  const details = readEventDetails();
  return publicElements.map(tag => {
    const declaration = declarations.find(({ tagName }) => tagName === tag);
    if (!declaration) throw new Error(`dist/custom-elements.json does not contain ${tag}.`);
    return elementPage(tag, declaration, details);
  });
}

function elementPage(
  tag: string,
  declaration: Declaration,
  details: ReadonlyMap<string, readonly DetailField[]>,
): ElementPage {
  const members = (declaration.members ?? []).filter(
    ({ privacy = 'public', static: isStatic }) => privacy === 'public' && isStatic !== true,
  );
  const view = viewOf(tag, details);
  const section = (id: string, title: string, items: readonly MemberView[]): MemberSection[] =>
    items.length > 0 ? [{ id, title, members: items }] : [];
  const [summary = '', ...rest] = (declaration.summary ?? '').split('\n\n');
  return {
    url: `/elements/${tag}/`,
    tag,
    summary: plainText(summary),
    // Some descriptions begin with the summary, which is removed.
    html: markdownHtml([...rest, (declaration.description ?? '').replace(summary, '')].join('\n\n')),
    example: exampleOf(tag),
    eventNames: (declaration.events ?? []).map(({ name }) => name).join(' '),
    sections: [
      ...section(
        'properties',
        'Attributes and properties',
        members.filter(({ kind }) => kind === 'field').map(each => view('property', each)),
      ),
      ...section(
        'methods',
        'Methods',
        members
          .filter(({ kind }) => kind === 'method')
          .map(each => ({ ...view('method', each), type: signatureOf(each) })),
      ),
      ...section(
        'events',
        'Events',
        (declaration.events ?? []).map(each => view('event', each)),
      ),
      ...section(
        'slots',
        'Slots',
        (declaration.slots ?? []).map(each => view('slot', each)),
      ),
      ...section(
        'parts',
        'CSS parts',
        (declaration.cssParts ?? []).map(each => view('part', each)),
      ),
      ...section(
        'custom-properties',
        'CSS custom properties',
        (declaration.cssProperties ?? []).map(each => view('custom-property', each)),
      ),
    ],
  };
}

function viewOf(tag: string, details: ReadonlyMap<string, readonly DetailField[]>) {
  return (role: string, item: ManifestItem & { readonly attribute?: string }): MemberView => {
    const name = item.name || '(default)';
    if (!item.description) throw new Error(`Describe the ${role} ${name} of <${tag}> in its comment.`);
    const isCancelable = role === 'event' && /;\s+cancelable/.test(item.description);
    const description = isCancelable ? item.description.replace(/;\s+cancelable/, '') : item.description;
    return {
      name,
      id: `${role}-${name.replace(/[^\w-]/g, '').replace(/^-+/, '')}`,
      html: inlineHtml(description),
      text: plainText(description),
      type: item.type?.text ?? '',
      attribute: item.attribute ?? '',
      default: item.default ?? '',
      isCancelable,
      details: role === 'event' ? (details.get(item.type?.text ?? '') ?? []) : [],
    };
  };
}

function signatureOf({ name, parameters = [], return: result }: ManifestMember): string {
  const list = parameters.map(
    parameter =>
      `${parameter.name}${parameter.optional || parameter.default ? '?' : ''}: ${parameter.type?.text ?? 'unknown'}`,
  );
  return `${name}(${list.join(', ')}): ${result?.type?.text ?? 'void'}`;
}

function exampleOf(tag: string): ElementExample {
  const source = readFileSync(join(root, `site/examples/${tag}.html`), 'utf8').trim();
  return { source, html: highlight(source, 'xml') };
}
