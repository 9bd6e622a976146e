/**
 * The menu beside Approve, for remembering the approval. It follows the ARIA pattern of a menu button: it opens with
 * its first entry focused, arrow keys move, Escape returns the focus. It is in the browser's top layer, so neither the
 * card nor the conversation clips it; the browser closes it when something else is pressed.
 */
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import type { Remember } from 'toolgate';
import { Icon } from './icons';

/** Props of `ApproveMenu`. */
export interface ApproveMenuProps {
  /** The noun for the call: `edit of menu.md`. */
  noun: string;
  toolName: string;
  approve: (remember: Remember, clicks: number) => void;
}

/** Space between the button and the menu, and between the menu and the screen's edge, in pixels. */
const GAP = 6;
const EDGE = 8;

export function ApproveMenu({ noun, toolName, approve }: ApproveMenuProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);

  const entries: readonly { remember: Remember; label: string; hint: string }[] = [
    { remember: 'once', label: 'Once', hint: 'This call only.' },
    {
      remember: 'chat',
      label: 'This chat, this input',
      hint: 'The same call with the same input is approved automatically.',
    },
    {
      remember: { for: 'chat', scope: 'tool' },
      label: 'This chat, this tool',
      hint: `Every ${toolName} call, with any input.`,
    },
  ];

  // The menu does not move with its card, so scrolling closes it.
  useEffect(() => {
    if (!isOpen) return;
    const close = (): void => menu.current?.hidePopover();
    addEventListener('scroll', close, { capture: true });
    addEventListener('resize', close);
    return () => {
      removeEventListener('scroll', close, { capture: true });
      removeEventListener('resize', close);
    };
  }, [isOpen]);

  const place = (): void => {
    const [box, anchor] = [menu.current, button.current?.parentElement?.getBoundingClientRect()];
    if (!box || !anchor) return;
    const below = anchor.bottom + GAP;
    const top = below + box.offsetHeight > innerHeight - EDGE ? anchor.top - GAP - box.offsetHeight : below;
    box.style.left = `${Math.max(EDGE, Math.min(anchor.left, innerWidth - box.offsetWidth - EDGE))}px`;
    box.style.top = `${Math.max(EDGE, top)}px`;
    box.querySelector('button')?.focus({ preventScroll: true });
  };

  const keys = (event: KeyboardEvent): void => {
    const items = [...(menu.current?.querySelectorAll('button') ?? [])];
    const at = items.indexOf(document.activeElement as HTMLButtonElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 + items.length, Home: 0, End: items.length - 1 }[event.key];
    if (event.key === 'Tab' || event.key === 'Escape') {
      menu.current?.hidePopover();
      button.current?.focus();
    }
    if (to !== undefined) items[to % items.length]?.focus();
    if (to !== undefined || event.key === 'Escape') event.preventDefault();
  };

  return (
    <>
      <button
        ref={button}
        type="button"
        className="button primary split"
        aria-label={`Approve ${noun} and remember…`}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={`${id}-menu`}
        popoverTarget={`${id}-menu`}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          menu.current?.showPopover();
        }}
      >
        <Icon name="down" />
      </button>
      <div
        ref={menu}
        id={`${id}-menu`}
        popover="auto"
        role="menu"
        aria-label={`Approve ${noun}`}
        className="menu"
        onToggle={({ newState }) => {
          setOpen(newState === 'open');
          if (newState === 'open') place();
        }}
        onKeyDown={keys}
      >
        {entries.map(({ remember, label, hint }) => (
          <button
            key={label}
            type="button"
            role="menuitem"
            tabIndex={-1}
            onClick={({ detail }) => {
              menu.current?.hidePopover();
              approve(remember, detail);
            }}
          >
            <span className="menu-label">{label}</span>
            <span className="menu-hint">{hint}</span>
          </button>
        ))}
      </div>
    </>
  );
}
