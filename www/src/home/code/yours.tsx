/** Stands for the components of an app, so that the code beside it compiles. */
import type { FC } from 'react';

export declare const Messages: FC<{ messages: readonly unknown[] }>;
export declare const Composer: FC<{ onSend: (message: { text: string }) => unknown }>;
