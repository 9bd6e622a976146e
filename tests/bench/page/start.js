/** Creates the first chat of a page: `window.start(side)` resolves when it exists. */
const SIDES = {
  ours: async () => {
    const { init, ToolGate } = await import('toolgate');
    await init();
    return new ToolGate({ chatId: 'chat' });
  },
  peer: async () => {
    const { Chat } = await import('@ai-sdk/react');
    return new Chat({ id: 'chat' });
  },
};

window.start = (side) => SIDES[side]();
