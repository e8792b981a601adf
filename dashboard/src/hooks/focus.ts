const controls = 'a[href], button, input, select, textarea, summary, [tabindex]';

/** Focuses the first of these elements that is on the page and enabled, or the page itself if there is none. */
export function focusFirst(...elements: (Element | null | undefined)[]): void {
  const usable = elements.find((element) => element && isUsable(element)) ?? document.getElementById('page');
  (usable as HTMLElement | null)?.focus({ preventScroll: true });
}

/** Like `focusFirst`, unless an element has the focus: for elements that may have been removed while focused. */
export function focusIfLost(...elements: (Element | null | undefined)[]): void {
  if (document.activeElement === document.body) focusFirst(...elements);
}

/**
 * A ref for an element that may be removed while it has the focus, such as a row or a button. The focus moves to the
 * same control of the next or previous row, or else to the nearest control. Without it, keyboard users would have to
 * start again at the top of the page.
 */
export function passFocusOn(element: HTMLElement | null): (() => void) | undefined {
  if (!element) return undefined;
  // React calls this while the element is still in the document.
  return () => {
    for (const { opener, successors } of openDialogs) {
      if (opener && element.contains(opener)) successors.push(successorsOf(element, opener));
    }
    const focused = document.activeElement;
    if (!focused || !element.contains(focused)) return;
    const successors = successorsOf(element, focused);
    // After everything that is removed with it is gone.
    queueMicrotask(() => focusIfLost(...successors()));
  };
}

interface OpenDialog {
  /** The element that had the focus when the dialog opened. */
  readonly opener: Element | null;
  /** Once the opener is removed: what then gets the focus. */
  readonly successors: (() => (Element | undefined)[])[];
}

const openDialogs = new Set<OpenDialog>();

/**
 * For a dialog that opens: returns what to call when it closes. The focus returns to the element that had it. If that was
 * removed meanwhile, because what is shown was updated, it moves as `passFocusOn` says.
 */
export function returnFocusLater(): () => void {
  const dialog: OpenDialog = { opener: document.activeElement, successors: [] };
  openDialogs.add(dialog);
  return () => {
    openDialogs.delete(dialog);
    focusFirst(dialog.opener, ...dialog.successors.flatMap((find) => find()));
  };
}

/** Finds, once an element is removed, what gets the focus instead of a control in it. */
function successorsOf(element: Element, control: Element): () => (Element | undefined)[] {
  const neighbors = neighborsOf(element);
  const index = controlsIn(element).indexOf(control);
  return () => neighbors.map((each) => controlOf(each, index, control));
}

interface Neighbor {
  readonly element: Element;
  /** Whether it is in the same list. */
  readonly isSibling: boolean;
  readonly isBefore: boolean;
}

/** The elements around an element, nearest first: those after it, those before it, then the same for its parent. */
function neighborsOf(element: Element): Neighbor[] {
  const found: Neighbor[] = [];
  for (let node = element; node.parentElement && !node.matches('#page, body'); node = node.parentElement) {
    const isSibling = node === element;
    const siblings = [...node.parentElement.children];
    const index = siblings.indexOf(node);
    const before = siblings.slice(0, index).reverse();
    const after = siblings.slice(index + 1);
    found.push(...after.map((element) => ({ element, isSibling, isBefore: false })));
    found.push(...before.map((element) => ({ element, isSibling, isBefore: true })));
  }
  return found;
}

/** In another row, the control with the same function; elsewhere, the nearest one. */
function controlOf({ element, isSibling, isBefore }: Neighbor, index: number, control: Element) {
  const all = controlsIn(element);
  const same = isSibling && all[index]?.className === control.className ? all[index] : undefined;
  if (same && isUsable(same)) return same;
  return isBefore ? all.findLast(isUsable) : all.find(isUsable);
}

function controlsIn(element: Element): Element[] {
  const inside = [...element.querySelectorAll(controls)];
  return element.matches(controls) ? [element, ...inside] : inside;
}

function isUsable(element: Element): boolean {
  return (
    element instanceof HTMLElement &&
    element.isConnected &&
    element.tabIndex >= 0 &&
    !element.matches(':disabled') &&
    element.checkVisibility({ visibilityProperty: true })
  );
}
