import {
  Badge,
  type CSSVariablesResolver,
  createTheme,
  type MantineColorsTuple,
  Menu,
  Modal,
  Notification,
  Portal,
  rem,
} from '@mantine/core';

/** The accent: 7 is the colour of buttons. */
const teal: MantineColorsTuple = [
  '#f0fdfa',
  '#ccfbf1',
  '#99f6e4',
  '#5eead4',
  '#2dd4bf',
  '#14b8a6',
  '#0d9488',
  '#0f766e',
  '#115e59',
  '#134e4a',
];

/** For what went wrong and what destroys; 7 carries white text. */
const red: MantineColorsTuple = [
  '#fdf0ef',
  '#fbdedc',
  '#f5b9b5',
  '#ee8f88',
  '#e66a61',
  '#df4b41',
  '#cf3a30',
  '#b3261e',
  '#8f1d17',
  '#6e150f',
];

/** As the pages for visitors have them: text, soft text, …, lines (4), surfaces from light to dark. */
const dark: MantineColorsTuple = [
  '#ececef',
  '#c9cbd1',
  '#a9acb5',
  '#7d818c',
  '#313339',
  '#2a2b30',
  '#222327',
  '#1b1c1f',
  '#111214',
  '#0c0d0f',
];

/** The look of everything, with the names of the buttons that Mantine puts into dialogs and fields by itself. */
export const themeWith = (names: { close: string; clear: string }) =>
  createTheme({
    colors: { teal, red, dark },
    primaryColor: 'teal',
    primaryShade: 7,
    autoContrast: true,
    defaultRadius: 'md',
    cursorType: 'pointer',
    respectReducedMotion: true,
    fontFamily:
      'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Hiragino Sans", "Noto Sans CJK JP", sans-serif',
    fontSizes: { xs: rem(12), sm: rem(14), md: rem(14), lg: rem(16), xl: rem(20) },
    headings: {
      fontWeight: '650',
      sizes: {
        h1: { fontSize: rem(26), lineHeight: '1.25' },
        h2: { fontSize: rem(22), lineHeight: '1.3' },
        h3: { fontSize: rem(17), lineHeight: '1.4' },
        h4: { fontSize: rem(15), lineHeight: '1.4' },
      },
    },
    components: {
      Modal: Modal.extend({
        // A press beside it would throw away what was typed there.
        defaultProps: {
          closeButtonProps: { 'aria-label': names.close },
          closeOnClickOutside: false,
          // Closed without a fade, so that a notification which follows does not move.
          transitionProps: { duration: 200, transition: 'fade-down', exitDuration: 0 },
        },
        styles: { title: { fontSize: rem(16), fontWeight: 650 } },
      }),
      Badge: Badge.extend({ defaultProps: { tt: 'none' } }),
      // By its name alone, so that nobody loads it who sees none.
      Drawer: {
        defaultProps: {
          closeButtonProps: { 'aria-label': names.close },
          transitionProps: { exitDuration: 0 },
        },
      },
      Notification: Notification.extend({
        defaultProps: { closeButtonProps: { 'aria-label': names.close } },
      }),
      // Told when it comes, as it may come from the service after a while.
      InputError: { defaultProps: { role: 'alert' } },
      InputClearButton: { defaultProps: { 'aria-label': names.clear } },
      // What Mantine puts into a menu for the focus is no child that a menu may have (WAI-ARIA 1.2, "menu").
      Menu: Menu.extend({ defaultProps: { withInitialFocusPlaceholder: false } }),
      // A landmark of its own, as everything on a page belongs to one.
      Portal: Portal.extend({ defaultProps: { target: '#overlays' } }),
    },
  });

/** Mantine's soft colours are too pale to be read (WCAG 2.2, success criterion 1.4.3). */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5b5e68',
    '--mantine-color-placeholder': '#696d78',
    '--mantine-color-error': '#b3261e',
    '--mantine-color-default-border': '#d5d7dd',
    '--mantine-color-teal-light': '#e8f5f3',
    '--mantine-color-teal-light-hover': '#d9eeeb',
    '--mantine-color-teal-light-color': '#0f6a63',
    '--mantine-color-red-light': '#fdf0ef',
    '--mantine-color-red-light-hover': '#fbdedc',
    '--mantine-color-red-light-color': '#b3261e',
    '--gatehouse-line': '#e8e9ed',
    '--gatehouse-sunken': '#f8f8fa',
  },
  dark: {
    '--mantine-color-dimmed': '#a9acb5',
    '--mantine-color-placeholder': '#90949f',
    '--mantine-color-error': '#ff9d94',
    '--mantine-color-anchor': '#5eead4',
    '--mantine-color-teal-light': '#17302d',
    '--mantine-color-teal-light-hover': '#1b3a36',
    '--mantine-color-teal-light-color': '#5eead4',
    '--mantine-color-teal-text': '#5eead4',
    '--mantine-color-red-light': '#34201f',
    '--mantine-color-red-light-hover': '#402625',
    '--mantine-color-red-light-color': '#ff9d94',
    '--mantine-color-red-text': '#ff9d94',
    '--gatehouse-line': '#2a2b30',
    '--gatehouse-sunken': '#17181b',
  },
});
