'use client';

import { useState } from 'react';
import { shownJson, type ApprovalTexts } from 'toolgate/approval';
import { BUTTON, INPUT } from '@/components/toolgate/approval-looks';
import { Button } from '@/components/ui/button';

/** The input of a call, as JSON: the beginning of a long one, and a button that shows the rest. */
export function ApprovalInput({ input, texts }: { input: unknown; texts?: Partial<ApprovalTexts> }) {
  const [isWhole, setWhole] = useState(false);
  if (input === undefined) return null;
  const { pieces, more } = shownJson(input, isWhole, texts);
  return (
    <>
      <pre dir="ltr" role="group" tabIndex={0} aria-label="Input" className={INPUT}>
        {pieces.map((piece, at) => (at % 2 === 1 ? <bdi key={at}>{piece}</bdi> : piece))}
      </pre>
      {more && (
        <Button
          type="button"
          size="sm"
          variant="ghost"
          className={`${BUTTON} self-start`}
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {more}
        </Button>
      )}
    </>
  );
}
