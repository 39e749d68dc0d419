import { countedIn } from '../../../messages/counted.js';
import type { DrillMessages } from './messages.js';

const counted = countedIn('ja');

/** Japanese. */
export const ja: DrillMessages = {
  rowsBehind: '数値の元になった行',
  path: '戻る経路',
  close: '閉じる',
  loading: '行を読み込んでいます…',
  empty: ['行がありません', 'この背後には何もありません。'],
  cannotOpen: label => ['開けません', `このページでは他のダッシュボードを開けないため、「${label}」は表示できません。`],
  downloadCsv: 'CSV をダウンロード',
  copy: '行をコピー',
  copied: '行をコピーしました',
  copyFailed: 'ブラウザーがコピーを許可しませんでした。',
  rowCount: count => counted(count, { other: '# 行' }),
  firstRows: count => `先頭の ${count} 行です。ほかにもある可能性があります。`,
};
