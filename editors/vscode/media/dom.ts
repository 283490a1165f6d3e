// Elements, in few words. Text is always set as text: nothing here reads HTML.

type Attributes = { [name: string]: string | boolean | undefined };

export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) {
      made.setAttribute(key, value === true ? '' : value);
    }
  }
  made.append(...children);
  return made;
}

export function button(label: string, act: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const made = element('button', { type: 'button', ...attributes }, label);
  made.addEventListener('click', act);
  return made;
}
