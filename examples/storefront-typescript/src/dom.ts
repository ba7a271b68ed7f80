type Child = Node | string | null | undefined | false;

/** Creates an element with properties and children. Texts are never parsed as HTML. */
export function el<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children.filter((child) => child instanceof Node || typeof child === 'string'));
  return element;
}

/**
 * Creates a form whose submission runs once at a time, and shows why it was refused.
 *
 * @param submit receives the values of the fields
 */
export function form(
  submit: (values: FormData) => Promise<void>,
  ...children: readonly Child[]
): HTMLFormElement {
  const alert = el('p', { role: 'alert' });
  const element = el('form', {}, ...children, alert);
  element.addEventListener('submit', async (event) => {
    event.preventDefault();
    const button = element.querySelector('button');
    if (!button || button.disabled) return;
    button.disabled = true;
    alert.textContent = '';
    try {
      await submit(new FormData(element));
    } catch (error) {
      alert.textContent = error instanceof Error ? error.message : String(error);
    } finally {
      button.disabled = false;
    }
  });
  return element;
}

/** Returns an amount of minor units as text. */
export function money(price: { amount: number; currency: string } | null | undefined): string {
  if (!price) return 'Price on request';
  const format = new Intl.NumberFormat(undefined, { style: 'currency', currency: price.currency });
  return format.format(price.amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}
