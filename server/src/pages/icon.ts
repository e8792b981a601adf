/** Gatehouse's own icon, for the pages of operators. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="none">
  <rect width="32" height="32" rx="8" fill="#0f766e"/>
  <path d="M8 25V14a8 8 0 0 1 16 0v11M14 25v-9m4 9v-9" stroke="#fff" stroke-width="2.5" stroke-linecap="round"/>
</svg>
`;
