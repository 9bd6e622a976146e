/** Both elements: their own properties, and which view renders them. */
import { GateElement } from './base.js';
import { CallElement } from './call-element.js';
import type { CardHost, ListView, Script } from './host.js';
import { CARD, LISTS } from './view-loader.js';

/** The element `<tool-approval>`: a card for one tool call. */
export class ToolApprovalElement extends CallElement implements CardHost {
  /**
   * Whether the card announces a new approval to screen readers. Default `'all'`; attribute `announce="none"` if the
   * app does so itself.
   */
  get announce(): 'all' | 'none' {
    return this.getAttribute('announce') === 'none' ? 'none' : 'all';
  }

  set announce(value: 'all' | 'none' | undefined | null) {
    this.setOrRemove('announce', value);
  }

  /** The approval to show: attribute `approval-id`. */
  get approvalId(): string | undefined {
    return this.getAttribute('approval-id') ?? undefined;
  }

  set approvalId(id: string | undefined | null) {
    this.setOrRemove('approval-id', id);
  }

  protected override readonly script = CARD;
}

/** The element `<tool-approvals>`: cards for all approvals of a gate. */
export class ToolApprovalsElement extends GateElement {
  static override readonly observedAttributes: readonly string[] = ['remember', 'heading-level', 'theme', 'view'];

  /**
   * How the calls are shown: attribute `view`. `'list'` (default): a card for each. `'review'`: one at a time beside a
   * list of all; the decisions are marked, and sent together.
   */
  get view(): ListView {
    return this.getAttribute('view') === 'review' ? 'review' : 'list';
  }

  set view(view: ListView | undefined | null) {
    this.setOrRemove('view', view);
  }

  protected override get script(): Script {
    return LISTS[this.view];
  }
}
