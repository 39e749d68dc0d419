import { createPluralizer } from '../message-format.js';
import type { SharedMessages } from '../shared-messages.js';

const pluralize = createPluralizer('ja');

/** Japanese messages that several elements have in common. */
export const shared: SharedMessages = {
  retry: '再試行',
  tryAgain: 'もう一度試す',
  details: '詳細',
  code: 'コード',
  request: 'リクエスト',
  cancel: 'キャンセル',
  sessionOver: ['セッションの有効期限が切れました', 'ページを再読み込みするか、もう一度サインインしてください。'],
  sessionEnded: ['セッションが終了しました', '続けるには、ページを再読み込みするか、もう一度サインインしてください。'],
  sessionFailed: [
    'セッションを開始できませんでした',
    'もう一度お試しください。問題が続く場合は、このページの管理者にお問い合わせください。',
  ],
  downloadCsv: 'CSV をダウンロード',
  copy: 'コピー',
  copied: 'コピーしました',
  copyRows: '行をコピー',
  rowsCopied: '行をコピーしました',
  copyFailed: 'ブラウザーがコピーをブロックしました。',
  notShown: count => pluralize(count, { other: '# 件は非表示' }),
};
