import '@digdir/designsystemet-types';

// The colours of our theme (designsystemet.config.json), so that `data-color` accepts no other.
declare module '@digdir/designsystemet-types' {
  export interface ColorDefinitions {
    primary: never;
    accent: never;
    neutral: never;
  }
  export interface SeverityColorDefinitions {
    info: never;
    success: never;
    warning: never;
    danger: never;
  }
}
