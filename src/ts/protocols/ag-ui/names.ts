/** The metadata key for values that must be sent back with a part, a call, a result or an approval. */
export const AG_UI = 'ag-ui';
