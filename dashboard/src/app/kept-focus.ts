/** Where the focus was: an element, and its place among what stood around it, from the inside out. */
interface Place {
  readonly element: HTMLElement;
  readonly around: readonly { parent: Element; index: number; nth: number }[];
}

const mostPlaces = 10;
/** Whatever else wants the focus has it by then: a dialog that opens or closes, or another page. */
const settlingMilliseconds = 50;
const focusable = 'a[href], button, input, select, textarea, summary, [tabindex]';

/**
 * When what has the focus goes away, the focus goes to where it was before, or to a neighbour. Else whoever uses the
 * keyboard would begin again at the top of the page after each dialog, each row that is removed, each field that closes.
 */
export function keepFocus(): void {
  let places: readonly Place[] = [];
  let lost = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function note({ target }: Event): void {
    lost = false;
    if (!(target instanceof HTMLElement)) return;
    places = [placeOf(target), ...places.filter(({ element }) => element !== target)].slice(0, mostPlaces);
  }

  function look(): void {
    const last = places[0]?.element;
    if (!last || (document.activeElement !== document.body && document.activeElement !== last)) return;
    if (!isUsable(last)) lost = true;
    if (!lost) return;
    clearTimeout(timer);
    timer = setTimeout(restore, settlingMilliseconds);
  }

  function restore(): void {
    const last = places[0]?.element;
    if (!lost || !last || (document.activeElement !== document.body && document.activeElement !== last))
      return;
    // It will be there again.
    if (last.isConnected && last.closest('[data-loading]')) return;
    const next = findNext(places) ?? document.getElementById('page');
    next?.focus({ preventScroll: true });
  }

  function leave(): void {
    lost = false;
  }

  const observer = new MutationObserver(look);
  observer.observe(document.body, {
    subtree: true,
    childList: true,
    attributeFilter: ['disabled', 'data-loading'],
  });
  document.addEventListener('focusin', note);
  // Whoever presses beside everything wants the focus nowhere.
  document.addEventListener('pointerdown', leave);
}

function placeOf(element: HTMLElement): Place {
  const around = [];
  for (let node: Element = element; node.parentElement; node = node.parentElement) {
    const index = [...node.parentElement.children].indexOf(node);
    const nth = [...node.querySelectorAll(focusable)].indexOf(element);
    around.push({ parent: node.parentElement, index, nth });
  }
  return { element, around };
}

function findNext(places: readonly Place[]): HTMLElement | undefined {
  for (const place of places) {
    const found = isUsable(place.element) ? place.element : findNeighbour(place);
    if (found) return found;
  }
  return undefined;
}

/** What stands in its place now, or beside it; nothing if the whole dialog is gone. */
function findNeighbour({ element, around }: Place): HTMLElement | undefined {
  for (const { parent, index, nth } of around) {
    if (!parent.isConnected) continue;
    if (parent.matches('#page, #overlays, body')) return undefined;
    const children = [...parent.children];
    for (const child of [...children.slice(index), ...children.slice(0, index).reverse()]) {
      const inside = [...child.querySelectorAll(focusable)];
      const usable = [child, ...inside].filter(isUsable);
      // In another row, the button that does the same.
      const found =
        usable.find((each) => each === inside[nth] && each.className === element.className) ?? usable[0];
      if (found) return found;
    }
  }
  return undefined;
}

function isUsable(element: Element): element is HTMLElement {
  return (
    element instanceof HTMLElement &&
    element.isConnected &&
    element.tabIndex >= 0 &&
    !element.matches(':disabled') &&
    element.checkVisibility({ visibilityProperty: true })
  );
}
