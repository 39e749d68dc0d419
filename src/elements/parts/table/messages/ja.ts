import type { TableMessages } from './messages.js';

/** Japanese, which has no plurals. */
export const ja: TableMessages = {
  sortHint: 'クリックまたは Enter で並べ替え、Shift で列を追加、F2 で幅を変更',
  sortsShown: '表示されている行だけを並べ替えます。ほかにも行がある可能性があります',
  ascending: title => `${title}(昇順)`,
  descending: title => `${title}(降順)`,
  sortedBy: list => `${list}で並べ替えました`,
  unsorted: 'レポートの順序に戻しました',
  width: title => `${title}の幅`,
  copied: (_count, text) => `${text} 個のセルをコピーしました`,
  copyTooMany: most => `コピーできるのは最大 ${most} セルです`,
  leftOut: (_count, text) => `ほか ${text} 行は省略されています。`,
  tones: { positive: '良い', negative: '悪い', warning: '警告', accent: '強調' },
  trend: (_count, text, from, to) => `${text} 個の値、${from} から ${to}`,
  cut: '表に収まらないため、一部の列と行は表示されていません。',
  total: '合計',
  columnGroup: '表示する列',
  allGroups: 'すべての列',
};
