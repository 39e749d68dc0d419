import { countedIn } from '../../../messages/counted.js';
import type { MapMessages } from './messages.js';

const counted = countedIn('ja');

/** Japanese. */
export const ja: MapMessages = {
  states: count => counted(count, { other: '# 州の地図。' }),
  countries: count => counted(count, { other: '# か国の地図。' }),
  points: count => counted(count, { other: '# 地点の地図。' }),
  highest: (name, figure) => `最大: ${name}、${figure}。`,
  lowest: (name, figure) => `最小: ${name}、${figure}。`,
  notShown: count => counted(count, { other: '# 件は非表示' }),
  unfound: (count, examples) =>
    `${counted(count, { other: '# か所がこの地図に見つかりません' })}${examples && `: ${examples}`}。`,
  repeated: count => counted(count, { other: 'すでに描かれた場所を示す行がさらに # 行あります。' }),
  omitted: count => counted(count, { other: '多すぎて描けないため、# 行を省きました。' }),
};
