'use client';

export { Questions } from '../scenario/Questions.jsx';
