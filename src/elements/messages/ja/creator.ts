import { createPluralizer } from '../message-format.js';
import type { CreatorTranslations } from '../translations.js';
import { ja as dashboards } from './dashboard.js';
import { shared } from './shared.js';

const pluralize = createPluralizer('ja');
const { problems } = dashboards.page;

/** Japanese messages of the workspace and the editor. */
export const ja: CreatorTranslations = {
  creator: {
    retry: shared.retry,
    tryAgain: shared.tryAgain,
    details: shared.details,
    code: shared.code,
    request: shared.request,
    sessionEnded: shared.sessionEnded,
    sessionFailed: shared.sessionFailed,
    viewOnly: [
      'ここではダッシュボードの閲覧のみできます',
      '作成が必要な場合は、このページの管理者にお問い合わせください。',
    ],
    notLoaded: ['ページのこの部分を読み込めませんでした', '接続を確認してから再試行してください。'],
  },
  workspace: {
    workspace: 'ワークスペース',
    own: 'マイダッシュボード',
    shared: '共有されたもの',
    newDashboard: '新しいダッシュボード',
    newFolder: '新しいフォルダー',
    search: '検索',
    searchOwn: 'マイダッシュボードを検索',
    searchShared: '共有ダッシュボードを検索',
    order: '並べ替え',
    orders: { name: '名前', updated: '最終更新', viewed: '最終表示' },
    path: 'パス',
    items: 'フォルダーとダッシュボード',
    folder: 'フォルダー',
    dashboard: 'ダッシュボード',
    published: '公開済み',
    draft: '下書き',
    changed: when => `変更: ${when}`,
    actions: name => `${name} の操作`,
    open: '開く',
    edit: '編集',
    view: '公開版を表示',
    rename: '名前を変更',
    move: '移動…',
    duplicate: '複製',
    remove: '削除',
    name: '名前',
    untitled: '無題のダッシュボード',
    untitledFolder: '無題のフォルダー',
    create: '作成',
    save: '保存',
    cancel: shared.cancel,
    moveTitle: name => `「${name}」を移動`,
    moveHere: 'ここに移動',
    noFolders: 'ここにフォルダーはありません。',
    more: 'さらに表示',
    undo: '元に戻す',
    deleted: name => `「${name}」を削除しました。`,
    deletedFolder: name => `「${name}」を削除しました。中のダッシュボードは最上位に移動します。`,
    found: count => pluralize(count, { other: '# 件' }),
    back: '戻る',
    emptyOwn: [
      'ダッシュボードはまだありません',
      'ダッシュボードを作成してデータを調べ、結果をチームと共有しましょう。',
    ],
    emptyFolder: ['このフォルダーは空です', 'ここにダッシュボードを作成するか、移動してください。'],
    emptyShared: ['共有されたものはまだありません', 'チームが公開して共有したダッシュボードがここに表示されます。'],
    emptySearch: text => [`「${text}」に一致するものはありません`, 'つづりを確認するか、短い語で試してください。'],
    clearSearch: '検索をクリア',
    failed: {
      ...problems,
      missing: ['もう存在しません', '削除または移動された可能性があります。'],
      rejected: [
        'この操作はできません',
        'フォルダーを含むフォルダーは削除できず、自身の中に移動することもできません。',
      ],
    },
    retry: shared.retry,
    details: shared.details,
    code: shared.code,
    request: shared.request,
  },
};
