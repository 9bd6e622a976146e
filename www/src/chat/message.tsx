/** One message: a bubble for the user, plain text and a card for each tool call for the assistant. */
import { isToolUIPart } from 'ai';
import { memo } from 'react';
import { ToolApproval, type ToolApprovalsProps } from 'toolgate/react';
import { textOf, type ChatMessage } from '../session/message-types';

/** Props of `Message`. */
export interface MessageProps {
  message: ChatMessage;
  /** A message of the user that is not sent yet, because a reply or a decision comes first. */
  isQueued: boolean;
  /** The ids of the calls that the list at the end shows. */
  listed: ReadonlySet<string>;
  /** The props of all cards. */
  card: ToolApprovalsProps;
}

/**
 * Rendered again only when the message is another object: Toolgate returns the same object for an unchanged message.
 */
export const Message = memo(function Message({ message, isQueued, listed, card }: MessageProps) {
  if (message.role === 'user') {
    return (
      <article className="message user" aria-label="You">
        <p className="bubble">{textOf(message)}</p>
        {isQueued ? <p className="queued">Queued until the reply has ended</p> : null}
      </article>
    );
  }
  return (
    <article className="message assistant" aria-label="Assistant">
      {message.parts.map((part, index) => {
        if ((part.type === 'text' || part.type === 'reasoning') && part.text)
          return (
            <p key={index} className={part.type === 'text' ? 'prose' : 'prose thought'}>
              {part.text}
            </p>
          );
        if (!isToolUIPart(part) || listed.has(part.toolCallId)) return null;
        return <ToolApproval key={part.toolCallId} {...card} part={part} />;
      })}
    </article>
  );
});
