import { expect, test } from 'vitest';
import { CleanupStack } from '../../../src/platform/runtime/cleanup-stack.js';

test('steps run once in reverse order, even after a failure', async () => {
  const order: string[] = [];
  const cleanUp = new CleanupStack();
  cleanUp.add(async () => void order.push('first'));
  cleanUp.add(async () => {
    throw new Error('stuck');
  });
  cleanUp.add(async () => void order.push('last'));
  await expect(cleanUp.run()).rejects.toMatchObject({ errors: [expect.objectContaining({ message: 'stuck' })] });
  await expect(cleanUp.run()).rejects.toThrow('did not stop cleanly');
  expect(order).toEqual(['last', 'first']);
});
