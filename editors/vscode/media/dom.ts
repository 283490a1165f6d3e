// Makes elements. Text is always set as text: nothing here reads HTML.

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

/** Draws the first part of a long list; the button that it returns draws the next ones. */
export function appendInPieces<T>(into: HTMLElement, all: T[], draw: (one: T) => Node | string, piece = 200): HTMLElement[] {
  let drawn = 0;
  const next = () => {
    into.append(...all.slice(drawn, drawn + piece).map(draw));
    drawn = Math.min(drawn + piece, all.length);
  };
  next();
  if (drawn === all.length) {
    return [];
  }
  const label = () => `Show more: ${drawn} of ${all.length} are shown`;
  const more = button(label(), () => {
    next();
    more.textContent = label();
    more.hidden = drawn === all.length;
  }, { class: 'secondary more' });
  return [more];
}

/** Makes an element of SVG. */
export function svg(name: string, attributes: { [name: string]: string | number } = {}, ...children: (Node | string)[]): SVGElement {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, String(value));
  }
  made.append(...children);
  return made;
}

/** Keeps a key from the browser and from VS Code, which has a meaning of its own for many. */
export function takeKey(event: KeyboardEvent): void {
  event.preventDefault();
  event.stopPropagation();
}
