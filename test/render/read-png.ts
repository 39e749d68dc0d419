import { inflateSync } from 'node:zlib';

/** A decoded PNG file. */
export interface Png {
  readonly width: number;
  readonly height: number;
  /** Returns red, green, blue and alpha of a pixel. */
  readonly at: (x: number, y: number) => readonly [number, number, number, number];
}

/** Decodes a PNG file with 8 bits per channel, RGBA. @throws if it has another format */
export function readPng(bytes: Uint8Array): Png {
  const file = Buffer.from(bytes);
  if (file.subarray(1, 4).toString('latin1') !== 'PNG') throw new Error('not a PNG file');
  const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)];
  if (file[24] !== 8 || file[25] !== 6) throw new Error('not RGBA with 8 bits');
  const data: Buffer[] = [];
  for (let at = 8; at < file.length; ) {
    const length = file.readUInt32BE(at);
    if (file.subarray(at + 4, at + 8).toString('latin1') === 'IDAT') data.push(file.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const pixels = unfilter(inflateSync(Buffer.concat(data)), width * 4, height);
  const part = (index: number): number => pixels[index] ?? 0;
  const at = (x: number, y: number) => {
    const start = (y * width + x) * 4;
    return [part(start), part(start + 1), part(start + 2), part(start + 3)] as const;
  };
  return { width, height, at };
}

function unfilter(raw: Buffer, stride: number, height: number): Uint8Array {
  const out = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)];
    for (let x = 0; x < stride; x++) {
      const left = x >= 4 ? (out[y * stride + x - 4] ?? 0) : 0;
      const up = y > 0 ? (out[(y - 1) * stride + x] ?? 0) : 0;
      const corner = x >= 4 && y > 0 ? (out[(y - 1) * stride + x - 4] ?? 0) : 0;
      const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter ?? 0] ?? 0;
      out[y * stride + x] = ((raw[y * (stride + 1) + 1 + x] ?? 0) + predicted) & 255;
    }
  }
  return out;
}

function paeth(left: number, up: number, corner: number): number {
  const estimate = left + up - corner;
  const [a, b, c] = [left, up, corner].map(value => Math.abs(estimate - value));
  if (a !== undefined && b !== undefined && c !== undefined && a <= b && a <= c) return left;
  return b !== undefined && c !== undefined && b <= c ? up : corner;
}
