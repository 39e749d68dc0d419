import type { MarkKind } from '../../../../controllers/chart-controller.js';
import { countedIn, type Forms, figuresIn } from '../../../messages/counted.js';
import type { ChartMessages } from './messages.js';

const counted = countedIn('ja');
const figure = figuresIn('ja');

const kinds: Readonly<Record<MarkKind, Forms>> = {
  bar: { other: '棒 #本' },
  line: { other: '線 #本' },
  area: { other: '領域 #個' },
  point: { other: '点 #個' },
  slice: { other: '扇形 #個' },
  cell: { other: 'セル #個' },
  mark: { other: '要素 #個' },
};

/** Japanese. */
export const ja: ChartMessages = {
  chart: 'グラフ',
  keys: '矢印キーで要素を移動し、Enter で選択、Shift+F10 でメニューを開き、Escape で終了します。',
  marks: (kind, count) => counted(count, kinds[kind]),
  noMarks: '何も描かれていません',
  highest: (name, value) => `最大 ${name} ${value}`,
  range: (title, from, to) => `${title}: ${from} から ${to}。`,
  values: (title, count) => `${title}: ${counted(count, { other: '#種類の値。' })}`,
  more: count => `他 ${figure.format(count)} 件`,
  tooMany: (count, most) => `${figure.format(count)} 個の要素は多すぎます。${figure.format(most)} 個まで選択できます。`,
  position: (position, count) => `${figure.format(count)} 中 ${figure.format(position)}`,
};
