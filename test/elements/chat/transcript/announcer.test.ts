import { expect } from '@open-wc/testing';
import { Announcer, countAnswer, firstSentence } from '../../../../src/elements/chat/transcript/announcer.js';
import { transcriptMessages as enTurns } from '../../../../src/elements/chat/transcript/transcript-messages.js';
import { de } from '../../../../src/elements/messages/de/chat.js';

const ended = { id: '1', sentAt: null, prompt: null, end: 'stop', error: null, usage: null, feedback: null } as const;

describe('chat announcements', () => {
  it('count the contents of an answer', () => {
    const none = { paragraphs: 0, lists: 0, tables: 0, charts: 0, codeBlocks: 0 };
    expect(enTurns.complete(none)).to.equal('Answer complete');
    expect(enTurns.complete({ ...none, paragraphs: 3, charts: 1 })).to.equal('Answer complete: 3 paragraphs, 1 chart');
    expect(de.transcript.complete({ ...none, lists: 1, codeBlocks: 2 })).to.equal(
      'Antwort vollständig: 1 Liste, 2 Codeblöcke',
    );
  });

  it('start with the first sentence, without Markdown syntax', () => {
    expect(firstSentence('There were **7.5** flights. More', { isWhole: false })).to.equal('There were 7.5 flights.');
    expect(firstSentence('There were **7.5** flights', { isWhole: false })).to.equal('');
    expect(firstSentence('There were **7.5** flights', { isWhole: true })).to.equal('There were 7.5 flights');
    expect(firstSentence('# Title\n\nText', { isWhole: false })).to.equal('Title');
    expect(firstSentence('See [the docs](https://a.example/b.c). Then', { isWhole: false })).to.equal('See the docs.');
    expect(firstSentence('x'.repeat(5000), { isWhole: false })).to.have.lengthOf(200);
    expect(firstSentence('It was \\$33,702.81 \\*net\\*. More', { isWhole: false })).to.equal(
      'It was $33,702.81 *net*.',
    );
    expect(firstSentence('', { isWhole: true })).to.equal('');
  });

  it('announce an unfinished answer as cut off, not as complete', () => {
    const said: string[] = [];
    const announcer = new Announcer(text => said.push(text));
    const part = {
      type: 'text',
      id: '1',
      content: 'There were sev',
      thinking: '',
      isFinal: true,
      isInProcess: false,
    } as const;
    const turn = { ...ended, end: null, parts: [part] } as const;
    const count = () => countAnswer(turn, null);
    const options = {
      isLive: true,
      isAsked: true,
      isOffline: false,
      messages: enTurns,
      count,
      describeChange: () => null,
    };
    announcer.follow(turn, options);
    for (const isOffline of [true, true, false]) announcer.follow(turn, { ...options, isOffline });
    announcer.follow(turn, { ...options, isLive: false });
    expect(said).to.deep.equal(['Answering', enTurns.offline, `There were sev… ${enTurns.ends.interrupted}`]);
  });

  it('announce once an answer that ended before the transcript was loaded, but none of an earlier conversation', () => {
    const said: string[] = [];
    const announcer = new Announcer(text => said.push(text));
    const turn = { ...ended, parts: [] } as const;
    const count = () => countAnswer(turn, null);
    const options = {
      isLive: false,
      isOffline: false,
      messages: enTurns,
      count,
      describeChange: () => 'Country is FR',
    };
    announcer.follow(turn, { ...options, isAsked: false });
    expect(said).to.deep.equal([]);
    announcer.follow(turn, { ...options, isAsked: true });
    announcer.follow(turn, { ...options, isAsked: true });
    expect(said).to.deep.equal(['Answer complete']);
  });

  it('count charts and tables from step results', () => {
    const step = { type: 'step', id: '1', name: 'dataQuery', input: null, error: null, status: 'done' } as const;
    const turn = {
      ...ended,
      parts: [
        { ...step, result: { vegaSpec: '{}', data: [] } },
        { ...step, result: { data: [] } },
        { ...step, result: 'text' },
        { ...step, result: null },
      ],
    } as const;
    expect(countAnswer(turn, null)).to.deep.include({ charts: 1, tables: 1, paragraphs: 0 });
  });
});
