const maxMilliseconds = 5_000;

/** Scrolls to a heading of the page and moves the focus there, once it is shown: the page may still be loading. */
export function showHeading(text: string): void {
  const page = document.getElementById('page');
  if (!page) return;
  const show = (): boolean => {
    const heading = [...page.querySelectorAll<HTMLElement>('h2')].find((each) => each.textContent === text);
    if (!heading) return false;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
    heading.scrollIntoView({ block: 'start' });
    return true;
  };
  if (show()) return;
  const observer = new MutationObserver(() => show() && observer.disconnect());
  observer.observe(page, { childList: true, subtree: true });
  setTimeout(() => observer.disconnect(), maxMilliseconds);
}
