/** The interface of the inspector's tabs. */

/** The content of one tab. */
export interface Panel {
  readonly id: string;
  readonly label: string;
  readonly element: HTMLElement;
  /** Returns the number beside the label. */
  count(): number;
  /** Renders the current state. Called only while the panel is visible. */
  update(): void;
}
