import type { PaChat } from '../../../src/elements/chat/chat-element.js';
import type { PaChatComposer } from '../../../src/elements/chat/composer/composer-element.js';
import type { PaChatTranscript } from '../../../src/elements/chat/transcript/transcript-element.js';
import type { PaChatTurn } from '../../../src/elements/chat/turn/turn-element.js';
import { eventually } from '../eventually.js';
import { FakeChat } from './fake-chat-service.js';
import '../../../src/elements/chat/pa-chat.js';

/** A chat on a page and its fake service. */
export interface ChatPage {
  readonly element: PaChat;
  readonly chat: FakeChat;
}

/** Adds a chat of 600 by 500 px to the page. */
export async function chatPage(
  fields: Partial<PaChat> = {},
  prepare: (chat: FakeChat) => void = () => {},
  parent: Element = document.body,
): Promise<ChatPage> {
  const chat = new FakeChat();
  prepare(chat);
  const element = Object.assign(document.createElement('pa-chat'), { service: chat, ...fields });
  element.style.setProperty('height', '500px');
  element.style.setProperty('width', '600px');
  parent.append(element);
  await element.updateComplete;
  return { element, chat };
}

/** Returns an element in the chat’s own shadow root. */
export const within = (element: PaChat, selector: string): HTMLElement | null =>
  element.renderRoot.querySelector<HTMLElement>(selector);
export const composer = (element: PaChat): PaChatComposer | null =>
  element.renderRoot.querySelector('pa-chat-composer');
export const transcript = (element: PaChat): PaChatTranscript | null =>
  element.renderRoot.querySelector('pa-chat-transcript');
export const turns = (element: PaChat): PaChatTurn[] => [
  ...(transcript(element)?.shadowRoot?.querySelectorAll('pa-chat-turn') ?? []),
];
export const box = (element: PaChat): HTMLElement | null =>
  transcript(element)?.shadowRoot?.querySelector<HTMLElement>('.box') ?? null;
export const input = (element: PaChat): HTMLTextAreaElement => {
  const found = composer(element)?.renderRoot.querySelector('textarea');
  if (!found) throw new Error('No composer.');
  return found;
};
export const textOf = (element: Element | null | undefined): string =>
  element?.textContent?.replace(/\s+/g, ' ').trim() ?? '';
export const statusText = (element: PaChat): string => textOf(within(element, '[role=status]'));
export const answerOf = (element: PaChat, index = -1): string =>
  textOf(turns(element).at(index)?.querySelector('.text'));

/** Returns the button with this name, in any part of the chat. */
export function button(element: PaChat, name: string): HTMLButtonElement | null {
  const roots = [element.renderRoot, transcript(element)?.shadowRoot, composer(element)?.shadowRoot];
  const all = roots.flatMap(root => [...(root?.querySelectorAll('button') ?? [])]);
  return all.find(one => (one.getAttribute('aria-label') ?? textOf(one)) === name) ?? null;
}

export function write(element: PaChat, text: string): void {
  const area = input(element);
  area.value = text;
  area.dispatchEvent(new InputEvent('input', { bubbles: true }));
}

export function press(target: Element, key: string, options: KeyboardEventInit = {}): KeyboardEvent {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true, ...options });
  target.dispatchEvent(event);
  return event;
}

/** Types and sends a question; resolves when the service receives it. */
export async function ask({ element, chat }: ChatPage, text: string): Promise<void> {
  const before = chat.streams.length;
  write(element, text);
  press(input(element), 'Enter');
  await eventually(() => chat.streams.length > before, 'the service receives the question');
}
