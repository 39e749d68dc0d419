import type { MenuMessages } from './messages.js';

/** Japanese. */
export const ja: MenuMessages = {
  showAsTable: '表として表示',
  showAsChart: 'グラフとして表示',
  downloadCsv: 'CSV をダウンロード',
  downloadSvg: 'SVG をダウンロード',
  copy: '行をコピー',
  copied: '行をコピーしました',
  copyFailed: 'ブラウザーがコピーを許可しませんでした。',
  downloadFailed: 'ダウンロードできませんでした。',
  refresh: '更新',
  fullscreen: '全画面表示',
  exitFullscreen: '全画面表示を終了',
  showRows: '元の行を表示',
  filterByThis: 'これでダッシュボードを絞り込む',
  stopFiltering: 'この絞り込みを解除',
  newTab: '新しいタブで開きます',
};
