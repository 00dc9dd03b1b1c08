/** The types of what `templates.js` takes from lit-html. */
export interface TemplateResult {
  strings: TemplateStringsArray;
  values: unknown[];
}
export const html: (strings: TemplateStringsArray, ...values: unknown[]) => TemplateResult;
export const nothing: unique symbol;
export const render: (value: unknown, container: HTMLElement) => void;
