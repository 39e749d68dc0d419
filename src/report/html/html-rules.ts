/** Elements that are rendered unchanged. */
const allowed = new Set(
  (
    'a abbr article b bdi bdo blockquote br caption cite code col colgroup data dd del details dfn div dl dt em figcaption figure ' +
    'h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p pre q s samp section small span strong sub summary sup table tbody td tfoot th ' +
    'thead time tr u ul var wbr'
  ).split(' '),
);

/** Elements that are rendered as `div`: landmarks, which a tile must not contain, and obsolete elements. */
const blocks = new Set(['address', 'aside', 'center', 'footer', 'header', 'hgroup', 'main', 'nav']);

/** Elements that are dropped with their content, which is not text for readers or has a special meaning in browsers. */
const dropped = new Set(
  (
    'applet audio base button canvas datalist dialog embed frame frameset head iframe input link map math meta noembed noframes ' +
    'noscript object option optgroup param picture plaintext portal progress script select slot source style svg template textarea ' +
    'title track video xmp'
  ).split(' '),
);

/**
 * Returns how to render an element: under which name, without the element but with its content (`unwrap`), or not at
 * all (`drop`).
 */
export function ruleOf(tag: string): { readonly tag: string } | 'unwrap' | 'drop' {
  if (allowed.has(tag)) return { tag };
  if (blocks.has(tag)) return { tag: 'div' };
  return dropped.has(tag) ? 'drop' : 'unwrap';
}

/** Classes that reports may use; the tile defines their styles. */
export const utilityClasses: readonly string[] = [
  'accent',
  'card',
  'center',
  'chip',
  'column',
  'end',
  'figure',
  'grid',
  'large',
  'muted',
  'negative',
  'nowrap',
  'numeric',
  'positive',
  'row',
  'small',
  'warning',
];

const raster = /^data:image\/(png|jpeg|gif|webp|avif);base64,[A-Za-z0-9+/]+={0,2}$/;
/** Maximum number of characters of an image, about 75 kB. */
const maxImageLength = 100_000;

const word =
  (...words: readonly string[]) =>
  (value: string) => {
    const lower = value.trim().toLowerCase();
    return words.includes(lower) ? lower : null;
  };
const whole = (max: number) => (value: string) => {
  const count = /^\s*\d{1,5}\s*$/.test(value) ? Number(value) : Number.NaN;
  return count <= max ? String(count) : null;
};
const words = (value: string) => value.slice(0, 1000);
const flag = () => '';

type Check = (value: string) => string | null;

const everywhere: Readonly<Record<string, Check>> = {
  'aria-hidden': word('true', 'false'),
  'aria-label': words,
  class: value => {
    const known = value.split(/\s+/).filter(name => utilityClasses.includes(name));
    return known.length > 0 ? [...new Set(known)].join(' ') : null;
  },
  dir: word('ltr', 'rtl', 'auto'),
  lang: value => (/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}$/.test(value) ? value : null),
  title: words,
};

const cell = { colspan: whole(100), rowspan: whole(100) };
const ofElement: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  col: { span: whole(100) },
  colgroup: { span: whole(100) },
  data: { value: words },
  details: { open: flag },
  img: {
    alt: words,
    height: whole(4000),
    src: value => (value.length <= maxImageLength && raster.test(value) ? value : null),
    width: whole(4000),
  },
  li: { value: whole(99_999) },
  ol: { reversed: flag, start: whole(99_999), type: value => (/^[1aAiI]$/.test(value) ? value : null) },
  td: cell,
  th: { ...cell, scope: word('col', 'row', 'colgroup', 'rowgroup') },
  time: { datetime: value => (/^[\w:.+ -]{1,40}$/.test(value) ? value : null) },
};

/**
 * Returns the safe value of an attribute; `null` if the attribute is not allowed. Links and `style` are checked
 * separately.
 */
export function attributeValue(tag: string, name: string, value: string): string | null {
  const rules = [ofElement[tag], everywhere].find(checks => checks && Object.hasOwn(checks, name));
  return rules?.[name]?.(value) ?? null;
}

/** True for attributes that are read; all others are ignored. */
export function isKnownAttribute(tag: string, name: string): boolean {
  if (name === 'style' || (tag === 'a' && name === 'href')) return true;
  return Object.hasOwn(everywhere, name) || Object.hasOwn(ofElement[tag] ?? {}, name);
}

const properties = new Set(
  (
    'align-content align-items align-self aspect-ratio background background-color block-size border border-block border-block-end ' +
    'border-block-start border-bottom border-collapse border-color border-inline border-inline-end border-inline-start border-left ' +
    'border-radius border-right border-spacing border-style border-top border-width box-sizing color column-gap display flex flex-basis ' +
    'flex-direction flex-grow flex-shrink flex-wrap font-family font-size font-style font-variant-numeric font-weight gap ' +
    'grid-auto-flow grid-column grid-row grid-template-columns grid-template-rows height hyphens inline-size justify-content ' +
    'justify-items justify-self letter-spacing line-height list-style-type margin margin-block margin-block-end margin-block-start ' +
    'margin-bottom margin-inline margin-inline-end margin-inline-start margin-left margin-right margin-top max-block-size max-height ' +
    'max-inline-size max-width min-block-size min-height min-inline-size min-width object-fit opacity order overflow-wrap padding ' +
    'padding-block padding-block-end padding-block-start padding-bottom padding-inline padding-inline-end padding-inline-start ' +
    'padding-left padding-right padding-top place-items row-gap tab-size text-align text-decoration text-indent text-overflow ' +
    'text-transform text-wrap vertical-align white-space width word-break word-spacing'
  ).split(' '),
);

const functions = new Set(
  (
    'calc clamp color color-mix conic-gradient fit-content hsl hsla hwb lab lch light-dark linear-gradient max min minmax oklab oklch ' +
    'radial-gradient repeat rgb rgba'
  ).split(' '),
);

const maxStyleLength = 200;
const maxDeclarations = 60;

/**
 * Returns the safe declarations of a `style` attribute: only properties that stay within their box and load nothing,
 * with values of keywords, numbers, colors and calculations. Values cannot contain URLs, custom properties, escapes or
 * comments.
 */
export function styleDeclarations(text: string): readonly (readonly [property: string, value: string])[] {
  return text
    .slice(0, maxDeclarations * maxStyleLength)
    .split(';', maxDeclarations)
    .flatMap(declaration => {
      const colon = declaration.indexOf(':');
      const property = declaration.slice(0, Math.max(0, colon)).trim().toLowerCase();
      const value = declaration.slice(colon + 1).trim();
      return properties.has(property) && isPlain(value) ? [[property, value] as const] : [];
    });
}

function isPlain(value: string): boolean {
  if (value === '' || value.length > maxStyleLength || value.includes('/*') || !/^[\w\s#.,%()+*/-]+$/.test(value))
    return false;
  // Each parenthesis must follow an allowed function name, or no name within a calculation.
  return [...value.matchAll(/([\w-]*)\(/g)].every(([, name = '']) => name === '' || functions.has(name.toLowerCase()));
}
