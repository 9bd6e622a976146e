/** One message of the conversation: a bubble for the user, plain text and tool cards for the assistant. */
import { memo } from 'react';
import { callOf, textOf, type ChatMessage } from '../session/message-types';
import { ToolCard } from './tool-card';

/** Props of `Message`. */
export interface MessageProps {
  message: ChatMessage;
  /** A message of the user that is not sent yet, because a reply or a decision comes first. */
  isQueued: boolean;
  /** Its turn ended badly, so nothing more arrives until the user acts. */
  isOver: boolean;
}

/**
 * Rendered again only when the message is another object: Toolgate returns the same object for an unchanged message.
 */
export const Message = memo(function Message({ message, isQueued, isOver }: MessageProps) {
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
        if (part.type === 'text')
          return part.text ? (
            <p key={index} className="prose">
              {part.text}
            </p>
          ) : null;
        if (part.type === 'reasoning')
          return part.text ? (
            <p key={index} className="prose thought">
              {part.text}
            </p>
          ) : null;
        const call = callOf(part);
        return call ? <ToolCard key={call.toolCallId} call={call} isOver={isOver} /> : null;
      })}
    </article>
  );
});
