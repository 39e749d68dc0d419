import type { SvgAttributes } from '../scene/svg-element.js';

/** An affine transformation, as in `matrix()` of SVG. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** The identity matrix. */
export const identity: Matrix = [1, 0, 0, 1, 0, 0];

/** Returns the transformation that applies `inner` first. */
export function multiply(outer: Matrix, inner: Matrix): Matrix {
  const [a, b, c, d, e, f] = outer;
  const [p, q, r, s, t, u] = inner;
  return [a * p + c * q, b * p + d * q, a * r + c * s, b * r + d * s, a * t + c * u + e, b * t + d * u + f];
}

/** Returns the transformation of an element; `null` if it has none. */
export function childMatrix({ transform }: SvgAttributes): Matrix | null {
  if (typeof transform !== 'string') return null;
  let matrix = identity;
  for (const [, name = '', list = ''] of transform.matchAll(/(\w+)\s*\(([^)]*)\)/g)) {
    matrix = multiply(
      matrix,
      matrixOf(
        name,
        list
          .trim()
          .split(/[\s,]+/)
          .map(Number),
      ),
    );
  }
  return matrix.every(Number.isFinite) ? matrix : null;
}

function matrixOf(name: string, [first = 0, second, ...others]: readonly number[]): Matrix {
  switch (name) {
    case 'translate':
      return [1, 0, 0, 1, first, second ?? 0];
    case 'scale':
      return [first, 0, 0, second ?? first, 0, 0];
    case 'rotate': {
      const angle = (first * Math.PI) / 180;
      const turn: Matrix = [Math.cos(angle), Math.sin(angle), -Math.sin(angle), Math.cos(angle), 0, 0];
      const [y = 0] = others;
      if (second === undefined) return turn;
      return multiply(multiply([1, 0, 0, 1, second, y], turn), [1, 0, 0, 1, -second, -y]);
    }
    case 'matrix':
      return [first, second ?? 0, others[0] ?? 0, others[1] ?? 1, others[2] ?? 0, others[3] ?? 0];
    default:
      return identity;
  }
}
