'use client';

import { useEffect, useId, useState, useSyncExternalStore } from 'react';
import type { AnyToolPart, GateSource } from 'toolgate';
import { approvalForm, visible, type FormContext, type FormField } from 'toolgate/approval';
import { useCallDescription, useGate } from 'toolgate/react';
import { BUTTON, FIELD, FOCUSED, HURRY, LOOKS } from '@/components/toolgate/approval-looks';
import { Button } from '@/components/ui/button';
import { cn } from '@/lib/utils';

export interface ApprovalActionsProps extends Omit<FormContext, 'gate'> {
  /** The tool call, as it is in the messages of the chat. */
  part: AnyToolPart;
  /** The guarded chat. Default: that of the nearest `GateProvider`. */
  gate?: GateSource;
}

/**
 * What the user can do about a call: approve, deny with a reason, edit the input, take more time, send again or give
 * up. `toolgate/approval` decides what is offered, and when a press counts; this only draws it. If the focused control
 * disappears, the element with `data-status` around it gets the focus.
 */
export function ApprovalActions({ part, gate: source, ...options }: ApprovalActionsProps) {
  // Renders again when the call changes.
  useCallDescription(part, source, options.texts);
  const gate = useGate(source);
  const id = useId();
  const [form] = useState(approvalForm);
  useSyncExternalStore(form.subscribe, form.getSnapshot, form.getSnapshot);
  const view = form.view({ part, gate, ...options });
  useEffect(form.rendered);
  return (
    <div ref={form.attach} className="flex flex-col gap-3 [&:not(:has(*))]:hidden">
      {view.prompt && (
        <p className="text-sm font-medium break-words">
          <bdi>{visible(view.prompt)}</bdi>
        </p>
      )}
      {view.fields.map((field) => (
        <Field key={`${view.key} ${field.id}`} id={`${id}-${field.id}`} field={field} />
      ))}
      {view.question && (
        <p data-question tabIndex={-1} className={cn('text-sm font-medium', FOCUSED)}>
          <bdi>{view.question}</bdi>
        </p>
      )}
      {view.buttons.length > 0 && (
        <div className="flex flex-wrap items-center gap-2">
          {view.buttons.map(({ act, label, name, look }) => (
            <Button
              key={act}
              type="button"
              size="sm"
              variant={LOOKS[look].variant}
              data-act={act}
              aria-label={name}
              className={cn(BUTTON, LOOKS[look].own)}
            >
              {label}
            </Button>
          ))}
          {view.deadline && (
            // A server and the page may count different seconds.
            <span
              role="timer"
              suppressHydrationWarning
              className={cn('text-muted-foreground text-sm tabular-nums', view.deadline.isHurry && HURRY)}
            >
              {view.deadline.text}
            </span>
          )}
          <span role="status" className="sr-only">
            {view.announcement}
          </span>
        </div>
      )}
      {view.problem && (
        <p role="alert" className="text-destructive text-sm">
          <bdi>{view.problem}</bdi>
        </p>
      )}
    </div>
  );
}

/** A field. The form reads its value. */
function Field({ id, field }: { id: string; field: FormField }) {
  const { kind, label, value, problem, options } = field;
  const own = {
    id,
    'data-field': field.id,
    'aria-invalid': problem ? true : undefined,
    'aria-describedby': `${id}-problem`,
    autoComplete: 'off',
    className: cn(FIELD, kind === 'json' && 'min-h-24 font-mono'),
  };
  return (
    <div className="flex flex-col gap-1.5">
      {kind === 'options' ? (
        <fieldset className="flex flex-col gap-1" aria-describedby={`${id}-problem`}>
          <legend className="text-sm font-medium">{label}</legend>
          {options.map((option) => (
            <label
              key={option.value}
              className="flex min-h-8 items-center gap-2 text-sm [@media(pointer:coarse)]:min-h-11"
            >
              <input
                type="radio"
                name={id}
                data-field={field.id}
                value={option.value}
                defaultChecked={option.value === value}
              />
              <bdi>{visible(option.label)}</bdi>
              {option.description && <bdi className="text-muted-foreground">{visible(option.description)}</bdi>}
            </label>
          ))}
        </fieldset>
      ) : (
        <>
          <label className="text-sm font-medium" htmlFor={id}>
            <bdi>{label}</bdi>
          </label>
          {kind === 'json' && <textarea dir="ltr" spellCheck={false} defaultValue={value} {...own} />}
          {kind === 'text' && <input dir="auto" defaultValue={value} {...own} />}
          {kind === 'menu' && (
            <select defaultValue={value || undefined} disabled={field.isDisabled} {...own}>
              {options.map((option) => (
                <option key={option.value} value={option.value}>
                  {option.label}
                </option>
              ))}
            </select>
          )}
        </>
      )}
      <p id={`${id}-problem`} role="alert" className="text-destructive text-sm empty:hidden">
        {problem && <bdi>{problem}</bdi>}
      </p>
    </div>
  );
}
