import type { ContainerMessages } from './messages.js';

/** Japanese. */
export const ja: ContainerMessages = {
  tabs: 'タブ',
  tab: number => `タブ ${number}`,
  empty: ['まだ何もありません', 'このコンテナーにはタイルがありません。'],
  troubles: {
    type: name => ['まだ対応していません', `種類が ${name} のウィジェットはここではまだ表示できません。`],
    missing: name => [
      'ウィジェットがありません',
      `ここで「${name}」が指定されていますが、ダッシュボードにありません。`,
    ],
    twice: name => ['別の場所に表示されています', `「${name}」は複数回指定されています。最初の場所に表示されます。`],
    cycle: name => [
      'コンテナーがそれ自身の中にあります',
      `「${name}」をそれ自身の中に置くことはできません。ダッシュボードの作成者が修正する必要があります。`,
    ],
    deep: name => ['階層が深すぎます', `コンテナーの階層は 4 つまでです。「${name}」は 5 つ目になります。`],
    app: () => ['まだ対応していません', 'この種類のダッシュボードはここではまだ表示できません。'],
  },
};
