import { countedIn, type Forms } from '../../../messages/counted.js';
import type { AnswerCounts, TranscriptMessages } from './messages.js';

const counted = countedIn('ja');

const nouns: Readonly<Record<keyof AnswerCounts, Forms>> = {
  paragraphs: { other: '段落 # 個' },
  lists: { other: 'リスト # 個' },
  tables: { other: '表 # 個' },
  charts: { other: 'グラフ # 個' },
  codeBlocks: { other: 'コードブロック # 個' },
};

/** Japanese. */
export const ja: TranscriptMessages = {
  transcript: 'メッセージ',
  question: 'あなたの発言',
  answer: '回答',
  older: '以前のメッセージを表示',
  latest: '最新に移動',
  latestNew: '下に新着があります: 最新に移動',
  copy: 'コピー',
  copied: 'コピーしました',
  copyFailed: 'ここではコピーが許可されていません',
  edit: '編集して再送信',
  again: 'もう一度質問する',
  good: '良い回答',
  bad: '良くない回答',
  usage: '使用量を表示',
  usageIs: (tokens, input, output, calls) =>
    `${tokens} トークン (入力 ${input}、出力 ${output})、モデルの呼び出し: ${calls}`,
  thinking: '推論',
  connecting: '接続しています…',
  working: '処理しています…',
  reconnecting: '再接続しています…',
  offline: 'オフラインです。接続が回復すると続きます。',
  ends: {
    aborted: 'この回答を停止しました。',
    failed: 'この回答は失敗しました。',
    length: 'この回答は上限に達したため、途中で切れました。',
    suspended: 'この回答は中断されました。続けることができます。',
    interrupted: '接続が切れたため、この回答は途中で切れました。',
  },
  retry: '再試行',
  resume: '続ける',
  answering: '回答中',
  complete: counts => {
    const parts = Object.entries(nouns).flatMap(([kind, forms]) => {
      const count = counts[kind as keyof AnswerCounts];
      return count === 0 ? [] : [counted(count, forms)];
    });
    return parts.length === 0 ? '回答が完了しました' : `回答が完了しました: ${parts.join('、')}`;
  },
};
