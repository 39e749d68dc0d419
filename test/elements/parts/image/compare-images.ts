/** Side of the squares in which pictures are compared, px. */
const square = 8;
/** Minimum difference between the mean colors of two squares that counts as visible, out of 255. */
const visible = 28;

/** Decodes a picture. */
export async function decode(file: Blob): Promise<ImageData> {
  const bitmap = await createImageBitmap(file);
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
  if (!canvas) throw new Error('no canvas');
  canvas.drawImage(bitmap, 0, 0);
  return canvas.getImageData(0, 0, bitmap.width, bitmap.height);
}

/** Returns the part of a picture without its margin. */
export function inner({ width, height, data }: ImageData, margin: number): ImageData {
  const part = new ImageData(width - 2 * margin, height - 2 * margin);
  for (let y = 0; y < part.height; y += 1) {
    const from = ((y + margin) * width + margin) * 4;
    part.data.set(data.subarray(from, from + part.width * 4), y * part.width * 4);
  }
  return part;
}

/**
 * Compares two pictures of the same size. Returns the share of squares whose mean colors visibly differ, from 0 to 1.
 * Only squares that differ in color from the corner in one of the pictures count. Means over squares level out
 * differences in the smoothing of fonts and edges.
 */
export function difference(one: ImageData, other: ImageData): number {
  if (one.width !== other.width || one.height !== other.height) {
    throw new Error(`${one.width} × ${one.height} and ${other.width} × ${other.height}`);
  }
  let [drawn, different] = [0, 0];
  const ground = meanColor(one, 0, 0);
  for (let y = 0; y + square <= one.height; y += square) {
    for (let x = 0; x + square <= one.width; x += square) {
      const [a, b] = [meanColor(one, x, y), meanColor(other, x, y)];
      if (distance(a, ground) < 4 && distance(b, ground) < 4) continue;
      drawn += 1;
      if (distance(a, b) > visible) different += 1;
    }
  }
  return drawn === 0 ? 1 : different / drawn;
}

function distance(one: readonly number[], other: readonly number[]): number {
  return Math.max(...one.map((part, index) => Math.abs(part - (other[index] ?? 0))));
}

function meanColor({ width, data }: ImageData, left: number, top: number): readonly number[] {
  const sum = [0, 0, 0];
  for (let y = top; y < top + square; y += 1) {
    for (let x = left; x < left + square; x += 1) {
      for (let part = 0; part < 3; part += 1) sum[part] = (sum[part] ?? 0) + (data[(y * width + x) * 4 + part] ?? 0);
    }
  }
  return sum.map(total => total / (square * square));
}
