import { countedIn } from '../../../messages/counted.js';
import type { SankeyMessages } from './messages.js';

const counted = countedIn('ja');

/** Japanese. */
export const ja: SankeyMessages = {
  flows: count => counted(count, { other: '# 本の流れ。' }),
  largest: (name, figure) => `最大: ${name}、${figure}。`,
  flow: (from, to) => `${from} から ${to}`,
  incoming: '流入',
  outgoing: '流出',
  nothingFlows: ['流れがありません', '0 より大きい数値を持つ行がありません。'],
  notShown: count => counted(count, { other: '# 件は非表示' }),
  unusable: count => counted(count, { other: '0 より大きい数値のない # 行を省きました。' }),
  circular: count => counted(count, { other: '循環する # 本の流れを省きました。' }),
  omitted: count => counted(count, { other: '多すぎて描けないため、小さい流れを # 本省きました。' }),
};
