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

const longest = 200;
const mostDeclarations = 60;

/**
 * Declarations of a `style` attribute that may be set, one by one: properties that stay inside of their box and load nothing, values
 * of plain words, figures, colours and sums. No value names an address, a custom property, an escape or a comment.
 */
export function styleDeclarations(text: string): readonly (readonly [property: string, value: string])[] {
  return text
    .slice(0, mostDeclarations * longest)
    .split(';', mostDeclarations)
    .flatMap(declaration => {
      const colon = declaration.indexOf(':');
      const property = declaration.slice(0, Math.max(0, colon)).trim().toLowerCase();
      const value = declaration.slice(colon + 1).trim();
      return properties.has(property) && isPlain(value) ? [[property, value] as const] : [];
    });
}

function isPlain(value: string): boolean {
  if (value === '' || value.length > longest || value.includes('/*') || !/^[\w\s#.,%()+*/-]+$/.test(value))
    return false;
  // Before a bracket stands the name of a function that is known, or none at all, in a sum.
  return [...value.matchAll(/([\w-]*)\(/g)].every(([, name = '']) => name === '' || functions.has(name.toLowerCase()));
}
