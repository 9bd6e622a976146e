/** React's `act`: React before 18.3 exports it from `react-dom/test-utils` only. */
import * as React from 'react';
import * as testUtils from 'react-dom/test-utils';

export const act: typeof React.act = 'act' in React ? React.act : testUtils.act;
