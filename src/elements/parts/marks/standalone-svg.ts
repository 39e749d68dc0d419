/** Properties set by stylesheets that are copied to SVG attributes of the same name. */
const inherited = ['fill', 'stroke', 'font-family', 'font-size', 'font-weight'] as const;
const own = ['fill-opacity', 'opacity', 'stroke-opacity', 'stroke-width', 'stroke-linejoin', 'vector-effect'] as const;
/** Attributes that have no use outside the page. */
const ofThePage = [
  'class',
  'part',
  'tabindex',
  'role',
  'aria-label',
  'aria-pressed',
  'aria-hidden',
  'data-mark',
] as const;

/** Returns a drawing as a standalone SVG file with the resolved colors and fonts, on the background of the page. */
export function standaloneSvg(svg: SVGSVGElement, title: string): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const [originals, copies] = [
    [svg, ...svg.querySelectorAll('*')],
    [copy, ...copy.querySelectorAll('*')],
  ];
  originals.forEach((original, index) => {
    const made = copies[index];
    if (made) settle(original, made);
  });
  removeComments(copy);
  const { width, height } = svg.getBoundingClientRect();
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', String(Math.round(width)));
  copy.setAttribute('height', String(Math.round(height)));
  const make = (name: string) => svg.ownerDocument.createElementNS('http://www.w3.org/2000/svg', name);
  const ground = make('rect');
  for (const side of ['width', 'height']) ground.setAttribute(side, '100%');
  ground.setAttribute('fill', plainColor(getComputedStyle(svg).backgroundColor));
  const heading = make('title');
  heading.textContent = title;
  copy.prepend(heading, ground);
  return new XMLSerializer().serializeToString(copy);
}

function settle(original: Element, copy: Element): void {
  const style = getComputedStyle(original);
  const parent = original.parentElement;
  const above = parent instanceof SVGElement ? getComputedStyle(parent) : null;
  const set = (name: string) => copy.setAttribute(name, plainColor(style.getPropertyValue(name)));
  for (const name of inherited) if (style.getPropertyValue(name) !== above?.getPropertyValue(name)) set(name);
  const isShape = original instanceof SVGGeometryElement || original instanceof SVGTextElement;
  if (isShape) for (const name of own) set(name);
  for (const name of ofThePage) copy.removeAttribute(name);
}

/** Removes the comment nodes that templates create. */
function removeComments(root: Node): void {
  for (const child of [...root.childNodes]) {
    if (child.nodeType === Node.COMMENT_NODE) child.remove();
    else removeComments(child);
  }
}

/** Converts `color-mix()` results to a color notation that all SVG readers support. Returns other values unchanged. */
function plainColor(value: string): string {
  const figures = /^color\(srgb ([^/]*)/.exec(value)?.[1];
  if (figures === undefined) return value;
  const [red = 0, green = 0, blue = 0] = figures.replace(')', '').trim().split(/\s+/).map(Number);
  return `rgb(${[red, green, blue].map(part => Math.round(Math.max(0, Math.min(1, part)) * 255)).join(', ')})`;
}
