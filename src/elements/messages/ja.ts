import { countedIn } from './counted.js';
import type { Messages } from './messages.js';

const counted = countedIn('ja');

/** Japanese. */
export const ja: Messages = {
  retry: '再試行',
  retryAll: 'すべて再試行',
  details: '詳細',
  code: 'コード',
  request: 'リクエスト',
  dashboard: 'ダッシュボード',
  report: 'レポート',
  text: 'テキスト',
  problems: {
    offline: ['オフラインです', '接続が回復すると、もう一度読み込みます。'],
    unreachable: ['データに接続できません', '接続を確認して、再試行してください。'],
    timeout: ['時間がかかりすぎています', 'しばらくしてから再試行してください。'],
    session: ['セッションが終了しました', 'ページを再読み込みするか、もう一度サインインしてください。'],
    denied: ['アクセス権がありません', 'このページの管理者にアクセス権を依頼してください。'],
    missing: ['利用できません', '公開されていないか、共有されていない可能性があります。'],
    rejected: ['このレポートは実行できません', '作成者による変更が必要です。'],
    drawing: ['このレポートは描画できません', '作成者による変更が必要です。'],
    failed: ['問題が発生しました', 'しばらくしてから再試行してください。'],
  },
  empty: ['データがありません', 'このレポートにはまだ何もありません。'],
  emptyFiltered: ['データがありません', 'このレポートのフィルターに一致するものがありません。'],
  emptyChosen: ['データがありません', '上で選択した条件に一致するものがありません。'],
  emptyChosenBy: names => `${names} で選択した条件に一致するものがありません。`,
  clearFilters: () => 'フィルターを解除',
  emptyDashboard: ['まだ何もありません', 'このダッシュボードにはタイルがありません。'],
  unsupportedKind: ['まだ対応していません', 'この種類のレポートは、まだここに表示できません。'],
  noQuery: ['クエリがありません', 'このレポートには問い合わせがありません。作成者による変更が必要です。'],
  missingReport: ['レポートがありません', 'このタイルのレポートは、公開されたダッシュボードに含まれていません。'],
  missingDashboard: [
    'この公開 ID のダッシュボードはありません',
    '公開 ID を確認してください。公開されていないか、共有されていない可能性があります。',
  ],
  sessionEnded: ['セッションが終了しました', '続けるには、ページを再読み込みするか、もう一度サインインしてください。'],
  sessionFailed: [
    'セッションを開始できませんでした',
    'もう一度お試しください。続く場合は、このページの管理者に知らせてください。',
  ],
  tryAgain: 'もう一度試す',
  stillWorking: '処理中です…',
  cancel: 'キャンセル',
  stopped: ['停止しました', '完了する前に中止されました。'],
  tileMenu: title => `${title} のメニュー`,
  filtered: '絞り込み中',
  filteredHint: names => `${names} に一致するものだけが集計されています。`,
  firstRows: count => `先頭の ${count} 行。ほかにもある可能性があります`,
  firstRowsHint: count =>
    `回答は ${count} 行で打ち切られました。ほかにも行がある可能性があり、数値は不完全かもしれません。`,
  firstRowsOf: (count, total) => `${total} 行中先頭の ${count} 行`,
  firstRowsOfHint: (count, total) => `回答は ${total} 行中 ${count} 行で打ち切られました。数値は不完全かもしれません。`,
  showingOf: (shown, total) => `${total} 件中 ${shown} 件を表示`,
  showingOfHint: (shown, total) =>
    `${total} 個の要素は多すぎて見分けられないため、グラフ全体から ${shown} 個を選んで描いています。`,
  stale: '最新ではありません',
  staleHint: '新しい行の取得は中止されました。表示されているのは以前の内容です。',
  controls: 'コントロール',
  allValues: 'すべて',
  ownGranularity: '各レポートのまま',
  ignoresControls: 'コントロールの対象外',
  ignoresControlsHint: (names, reason) =>
    `${names} で選択した内容は、このレポートには反映されません。${reason ? `SQL は書かれたまま実行されます: ${reason}` : ''}`,
  ignoredBecause: {
    grains: '行がその時間の2つの粒度でグループ化されています。',
    taken: 'そのフィールドはすでに含まれています。',
    condition: 'この条件はこのフィールドには適用できません。',
  },
  hiddenWidgets: count => counted(count, { other: '# 個の項目は、まだここに表示できません。' }),
  allFailed: 'タイルを読み込めませんでした',
  notLoaded: '未読み込み',
  failedTiles: count => counted(count, { other: '# 個のタイルを読み込めませんでした。' }),
};
