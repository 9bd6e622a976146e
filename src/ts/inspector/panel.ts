/** What the parts of the panel have in common. */

/** One tab's content. */
export interface Panel {
  readonly id: string;
  readonly label: string;
  readonly element: HTMLElement;
  /** The number beside the label. */
  count(): number;
  /** Shows what is now. Called only while the panel can be seen. */
  update(): void;
}
