/** Both elements: their own properties, and which view renders them. */
import { GateElement } from './base.js';
import { CallElement } from './call-element.js';
import type { CardHost, View } from './host.js';
import { loadedViews } from './view-loader.js';

type Views = NonNullable<ReturnType<typeof loadedViews>>;

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

  protected override createView(root: ShadowRoot): View {
    return (loadedViews() as Views).cardView(this, root);
  }
}

/** The element `<tool-approvals>`: cards for all approvals of a gate. */
export class ToolApprovalsElement extends GateElement {
  static override readonly observedAttributes: readonly string[] = ['remember', 'heading-level', 'theme'];

  protected override createView(root: ShadowRoot): View {
    return (loadedViews() as Views).listView(this, root);
  }
}
