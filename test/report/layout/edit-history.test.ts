import { expect, it } from 'vitest';
import { addStep, redoStep, startHistory, undoStep } from '../../../src/report/layout/edit-history.js';

it('undoes and repeats steps in order', () => {
  const history = ['b', 'c'].reduce(addStep, startHistory('a'));
  expect(undoStep(history).present).toBe('b');
  expect(undoStep(undoStep(undoStep(history))).present).toBe('a');
  expect(redoStep(undoStep(history)).present).toBe('c');
  expect(redoStep(history).present).toBe('c');
});

it('replaces undone steps by a new one', () => {
  const history = addStep(undoStep(['b', 'c'].reduce(addStep, startHistory('a'))), 'd');
  expect(redoStep(history).present).toBe('d');
  expect(undoStep(history).present).toBe('b');
});

it('keeps the last 100 steps', () => {
  const steps = Array.from({ length: 150 }, (_, index) => index);
  expect(steps.reduce(addStep, startHistory(-1)).past).toHaveLength(100);
});
