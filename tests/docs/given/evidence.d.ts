/** Declarations for the code blocks of docs/evidence.md: a guarded chat, an account, and a server. */
declare const chat: import('@ai-sdk/react').Chat<import('ai').UIMessage>;
declare const account: { readonly id: string };
declare const messages: import('ai').UIMessage[];
declare const toolkit: import('toolgate/server').Toolkit;
declare const request: Request;
declare const record: import('toolgate/server').ApprovalRecord;
declare const db: import('better-sqlite3').Database;
declare const privateKey: CryptoKey;
declare const publicKey: CryptoKey;
declare const chatId: string;
