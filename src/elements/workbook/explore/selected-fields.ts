import { html, nothing, type TemplateResult } from 'lit';
import type { Member } from '../../../report/explore/members.js';
import { isMissing } from '../../../report/explore/query-draft.js';
import { icon } from '../../creator/creator-icons.js';
import type { ExploreMessages } from './explore-messages.js';

/** Renders the selected members as chips, in their order, and names those that the model no longer has. */
export function renderSelection(
  members: readonly Member[],
  { explore, remove }: ExploreMessages,
  onRemove: (member: Member) => void,
): TemplateResult | typeof nothing {
  if (members.length === 0) return nothing;
  const missing = members.filter(isMissing);
  return html`<ul class="selection" aria-label=${explore.fields}>
      ${members.map(
        member => html`<li class=${member.kind}>
          <span>${member.title}</span>
          <button
            type="button"
            aria-label=${`${remove}: ${member.title}`}
            title=${remove}
            @click=${() => onRemove(member)}
          >
            ${icon('cross')}
          </button>
        </li>`,
      )}
    </ul>
    ${
      missing.length > 0
        ? html`<p class="warning" role="status">
            ${explore.missing(missing.map(({ name }) => name).join(', '))}
            <button type="button" @click=${() => missing.forEach(onRemove)}>${explore.removeMissing}</button>
          </p>`
        : nothing
    }`;
}
