/** Which protocols are a model's own API, whose tools only the page can run. */

/** The part of a protocol's definition that says so. */
interface Rules {
  readonly capabilities: { readonly kind: string };
}

/** Whether a protocol with this definition is a model's own API. */
export const isRawModel = (rules: Rules | undefined): boolean => rules?.capabilities.kind === 'raw-model';
